import Glibc

@main
struct Pinwarden {
  static func main() async {
    let code = await Program.run(CommandLine.arguments.dropFirst())
    exit(code.rawValue)
  }
}
