// The program of a thread: does one job after another (workers.ts).
import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
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

if (workerData.compileCache) enableCompileCache(workerData.compileCache)
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
