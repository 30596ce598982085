// Memory that the garbage collector would free too late: V8 sees its own heap, and hardly the external memory behind it.
import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

interface Collection {
  type: 'major' | 'minor'
  execution: 'sync'
  flavor?: 'last-resort'
}

let collect: ((options: Collection) => void) | undefined

function collector() {
  if (collect) return collect
  setFlagsFromString('--expose-gc')
  const gc: (options: Collection) => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  collect = gc
  return gc
}

/**
 * Lets the heap grow by half before V8 marks it; to be called once, at start. V8 counts the buffers of an upload to the heap, and marked all
 * of it for every 16 MB received: that was half of the CPU time of eight uploads (`npm run bench -- artifacts`). Where it could double,
 * a mix of all work held 50 MB more (`npm run bench -- endurance`), and uploads cost the same.
 */
export const markLessOften = (): void => setFlagsFromString('--heap-growing-percent=50')

/**
 * Gives free pages of the heap back to the system: about 20 MB after a start, 100 MB after load, in a pause of some 50 ms. V8 does so by
 * itself only under pressure, and an idle server has none.
 */
export const returnFreeMemory = (): void => collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })

const LOOK_MILLISECONDS = 10_000
/** The share of the time that a process works: below it, hardly a request meets the pause. */
const IDLE = 0.1
/** A heap that has grown by less stays as it is. */
const WORTH_BYTES = 32 * 1024 * 1024

interface ReleaseOptions {
  /** Gives back what others than V8 have. */
  shrink: () => void
  everyMilliseconds: number
  firstMilliseconds: number
}

/**
 * Gives memory back once the start is over, and then whenever there is much of it and little to do. To be called once; the milliseconds are
 * for tests. Returns what ends it.
 */
export function returnMemoryWhenIdle({
  shrink = () => {},
  everyMilliseconds = LOOK_MILLISECONDS,
  firstMilliseconds = 1_000,
}: Partial<ReleaseOptions> = {}): () => void {
  let heapBytes = 0
  let before = performance.eventLoopUtilization()
  const giveBack = () => {
    shrink()
    returnFreeMemory()
    heapBytes = process.memoryUsage().heapTotal
  }
  const look = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, before)
    before = now
    if (utilization < IDLE && process.memoryUsage().heapTotal >= heapBytes + WORTH_BYTES) giveBack()
  }
  let timer = setTimeout(() => {
    giveBack()
    timer = setInterval(look, everyMilliseconds).unref()
  }, firstMilliseconds).unref()
  return () => clearTimeout(timer)
}

/** How much may pass through between two collections. */
const PASSING_BYTES = 8 * 1024 * 1024
let passed = 0

/**
 * Call it with the number of received bytes that are no longer used. V8 counts a buffer as a hundred bytes and the system as 64 KB:
 * the buffers of uploads stay until something else is collected, and each upload adds more.
 */
export function collectGarbageAfter(count: number): void {
  passed += count
  if (passed < PASSING_BYTES) return
  passed = 0
  collector()({ type: 'minor', execution: 'sync' })
}
