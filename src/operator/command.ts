// What a command of the operator is: declared once, with its options and its line of the help.
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../config/config.ts'
import type { Output } from './output.ts'

export type CommandOptions = Readonly<Record<string, string | boolean | undefined>>

export interface Command {
  /** The parameters and options as the help shows them. */
  usage: string
  /** What it does, for the help: lines of at most 80 characters. */
  summary: string
  /** How many parameters it needs, and how many it may have at most. */
  parameters: readonly [least: number, most: number]
  options?: ParseArgsOptionsConfig
  /** What must hold where it is a program of its own, and need not in a process that has more to do; throws otherwise. */
  before?(call: Call): Promise<void>
  /** Returns the exit code. Settings are read only when needed: `new-key` creates one of them. */
  run(call: Call): Promise<number>
}

export interface Call {
  settings: () => Config
  parameters: readonly string[]
  options: CommandOptions
  output: Output
}
