// Loaded into a program before anything else: deadlines of minutes pass in seconds, so that an attack sees them.
const LONG_MILLISECONDS = 100_000
const TIMES_SHORTER = 40

const { setTimeout } = globalThis
globalThis.setTimeout = ((work: (...given: unknown[]) => void, delay = 0, ...given: unknown[]) =>
  setTimeout(work, delay < LONG_MILLISECONDS ? delay : delay / TIMES_SHORTER, ...given)) as typeof setTimeout
