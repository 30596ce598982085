// Work that is shared by the callers who need it at the same time.

/** Runs `make` at the first call; a failure is tried again at the next. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
