// What a command is, and what it is given.
import type { ParseArgsConfig } from 'node:util'
import type { Client } from '../../client/src/create-client.ts'
import type { TokenStore } from '../../client/src/tokens.ts'

export type Options = NonNullable<ParseArgsConfig['options']>
export type Values = Readonly<Record<string, string | boolean | undefined>>

export interface Context {
  environment: Readonly<Record<string, string | undefined>>
  profile: string
  tokens: TokenStore
  signal: AbortSignal
  /** The address of --server or GUILDHALL_URL. */
  server: string | undefined
  /** A client of the server of the profile; anonymous when there are no tokens. */
  client(): Promise<Client>
  /** The same, for what needs an account. */
  ownClient(): Promise<Client>
  /** The address of the server that `client` calls. */
  url(): Promise<string>
  /** Writes words for people; nothing with --json. */
  say(text: string): void
  /** Writes what a program reads, with --json alone. */
  report(value: unknown): void
  /** Writes words to the standard error output, which is for people alone. */
  show(text: string): void
  /** Writes bytes as they are. */
  write(bytes: Uint8Array | string): Promise<void>
  /** A line that the person types, or all of the standard input. */
  ask(question: string): Promise<string>
  readInput(): Promise<string>
}

export interface Command {
  /** What comes after the name. */
  usage: string
  summary: string
  /** Further lines of the help. */
  details?: string
  options?: Options
  /** The least and the most words that it takes. */
  words: [number, number]
  run(context: Context, given: { words: string[]; values: Values }): Promise<void>
}
