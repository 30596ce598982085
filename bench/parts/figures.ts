// A figure, and the limit it is held against.
import type { Engine } from '../../src/database/engine.ts'
import { engine } from './options.ts'

type Limit = { atLeast: number } | { atMost: number }
/** One for both engines, or one for each. */
export type Limits = Limit | Partial<Record<Engine, Limit>>

/** A figure by the CPU of the server alone, and by that of PostgreSQL's processes as well; on SQLite they are the same. */
export interface Both {
  server: number
  all: number
}

/** Prints `name  value  (limit ...)`, with a mark when the limit is not kept, and remembers that for the exit code. */
export function figure(name: string, value: number, unit: string, limits: Limits = {}): void {
  const limit = 'atLeast' in limits || 'atMost' in limits ? limits : limits[engine]
  const kept = !limit || ('atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost)
  const bound = !limit ? '' : 'atLeast' in limit ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`
  if (!kept) process.exitCode = 1
  console.log(`${kept ? ' ' : '!'} ${name.padEnd(64)} ${format(value)} ${unit.padEnd(14)} ${bound}`)
}

/** The limit is held against the CPU of the server alone. */
export function figures(name: string, { server, all }: Both, unit: string, limits: Limits = {}): void {
  figure(name, server, unit, limits)
  if (engine === 'postgres') figure(`  with PostgreSQL's CPU`, all, unit)
}

const format = (value: number) => value.toFixed(value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0).padStart(9)
