// What threads are given to do in tests (src/workers).
import { readlinkSync } from 'node:fs'
import { getPriority } from 'node:os'

export const double = ({ of }: { of: number }) => ({ is: of * 2 })

export function fail(message: string): never {
  throw new Error(message)
}

export const environment = (_: null) => Object.keys(process.env)

/** Whether the thread has loaded Node's compiler of TypeScript. */
export const hasCompiler = (_: null) =>
  (process as unknown as { moduleLoadList: string[] }).moduleLoadList.some((name) => name.includes('amaro'))

/** How much lower the priority of its own thread is than the usual one. */
export const niceness = (_: null) => getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)))

export function spin(_: null): never {
  for (;;);
}

export function hoard(_: null): number {
  const kept: number[][] = []
  for (;;) if (kept.push(new Array(100_000).fill(kept.length)) > 1e9) return kept.length
}

/** Takes time by the clock, and hardly any of the processor. */
export async function rest(milliseconds: number): Promise<string> {
  await new Promise((resolve) => setTimeout(resolve, milliseconds))
  return 'rested'
}
