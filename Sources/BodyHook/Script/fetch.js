// fetch
