// Several abort signals as one. AbortSignal.any is not in Node 18.

/** A signal that aborts with the first of these. `release` takes its listeners off again. */
export function joined(signals: readonly (AbortSignal | undefined)[]): {
  signal: AbortSignal | undefined
  release(): void
} {
  const given = signals.filter((signal) => signal !== undefined)
  if (given.length < 2) return { signal: given[0], release() {} }
  const controller = new AbortController()
  const listeners = given.map((signal) => {
    const abort = () => controller.abort(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    return () => signal.removeEventListener('abort', abort)
  })
  return {
    signal: controller.signal,
    release() {
      for (const remove of listeners) remove()
    },
  }
}

/** The promise, unless the signal aborts first. What the promise stands for goes on: others wait for it too. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
