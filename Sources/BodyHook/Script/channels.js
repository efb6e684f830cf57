// channels
