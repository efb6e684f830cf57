// requests
