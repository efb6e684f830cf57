print("pinwarden")
