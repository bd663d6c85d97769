"""What several tests share. A helper used by one test file lives in that file."""
