/// Work that a confined object puts off to the end of the loop's turn, such as sending everything that the turn's
/// events produced at once.
public protocol TurnTask: AnyObject {
  /// Called once for each `EventLoop.atEndOfTurn`. A task that adds a task here has it run at the end of the next turn.
  func runTurnTask()
}
