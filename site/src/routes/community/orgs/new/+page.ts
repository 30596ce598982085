// A file is read into the field beside it, where it can be looked at before it is sent.
export const csr = true
