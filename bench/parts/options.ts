// What a bench is asked for: `--engine postgres`, `--rows 10000000`, and words, which are scripts to main.ts.
import { parseArgs } from 'node:util'
import type { Engine } from '../../src/database/engine.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { engine: { type: 'string', default: 'sqlite' }, rows: { type: 'string' } },
})

export const words = positionals

export const engine = engineNamed(values.engine)

/** How many things a script puts into its database: what was asked for, or its own usual number. */
export const rowsOr = (usual: number): number => (values.rows === undefined ? usual : countOf(values.rows))

/** The same options for another script. */
export const options = ['--engine', engine, ...(values.rows === undefined ? [] : ['--rows', values.rows])]

function engineNamed(name: string): Engine {
  if (name === 'sqlite' || name === 'postgres') return name
  throw new Error(`--engine is ${name}; it can be sqlite or postgres`)
}

function countOf(text: string): number {
  if (/^[1-9]\d{2,8}$/.test(text)) return Number(text)
  throw new Error(`--rows is ${text}; it can be a number from 100 to 999999999`)
}
