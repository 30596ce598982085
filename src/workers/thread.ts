// The program of a thread: does one job after another (workers.ts).
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { returnFreeMemory } from '../runtime/memory.ts'
import { required } from '../runtime/untyped.ts'
import type { Outcome } from './workers.ts'

interface Order {
  module: string
  name: string
  input: unknown
}

/** Memory of a job is freed when no other job follows. */
const REST_MILLISECONDS = 500

/** Between the usual priority and the lowest. */
const PRIORITY = 10

/** On one core requests come before jobs, which have time. Linux has a priority for each thread; elsewhere nothing changes. */
function yieldToRequests(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), PRIORITY)
  } catch {
    // Another system, or one that does not allow it.
  }
}

yieldToRequests()
let resting: NodeJS.Timeout | undefined

required(parentPort).on('message', async ({ module, name, input }: Order) => {
  clearTimeout(resting)
  required(parentPort).postMessage(await outcomeOf(module, name, input))
  resting = setTimeout(returnFreeMemory, REST_MILLISECONDS).unref()
})

async function outcomeOf(module: string, name: string, input: unknown): Promise<Outcome<unknown>> {
  try {
    const { [name]: work }: Record<string, (input: unknown) => unknown> = await import(module)
    return { output: await required(work)(input) }
  } catch (fault) {
    return { fault }
  }
}
