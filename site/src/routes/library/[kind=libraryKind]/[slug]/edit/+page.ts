// Files are dropped here, and their progress is shown.
export const csr = true
