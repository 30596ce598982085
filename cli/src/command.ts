// What a command is, and what it is given.
import type { Readable } from 'node:stream'
import type { ParseArgsConfig } from 'node:util'
import type { Client } from '../../client/src/create-client.ts'
import type { Fetch } from '../../client/src/fetching.ts'
import type { OnSent } from './fetch.ts'
import type { KeptTokens } from './kept-tokens.ts'
import type { Words } from './style.ts'

export type Options = NonNullable<ParseArgsConfig['options']>
export type Values = Readonly<Record<string, string | boolean | string[] | undefined>>

export interface ClientChoice {
  /** Another server than that of the profile; credentials are for their own server alone. */
  url?: string
  /** The progress of what is sent. */
  onSent?: OnSent
}

export interface Context {
  environment: Readonly<Record<string, string | undefined>>
  /** Where the person is. */
  folder: string
  profile: string
  tokens: KeptTokens
  signal: AbortSignal
  /** The address of --server or GUILDHALL_URL. */
  server: string | undefined
  /** Every request of the program goes by it: it knows the proxy. */
  fetch: Fetch
  /** A client of the server of the profile; anonymous when there are no tokens. */
  client(options?: ClientChoice): Promise<Client>
  /** The same, for what needs an account. */
  ownClient(options?: Omit<ClientChoice, 'url'>): Promise<Client>
  /** The address of the server that `client` calls. */
  url(): Promise<string>
  /** Writes a line for people; nothing with --json. */
  say(...words: Words[]): void
  /** Writes what a program reads, with --json alone. */
  report(value: unknown): void
  /** Writes a line to the standard error output, which is for people alone. */
  show(...words: Words[]): void
  /** Replaces the last line that it wrote, on a terminal alone; an empty text takes it away. */
  progress(text: string): void
  /** A person is at a terminal and can answer questions. */
  isInteractive: boolean
  /** Writes bytes as they are. */
  write(bytes: Uint8Array | string): Promise<void>
  /** A line that the person types, or all of the standard input. */
  ask(question: string): Promise<string>
  readInput(): Promise<string>
  /** The standard input, for what reads it as it comes. */
  stdin: Readable
}

/** What the person typed after the name of a command. */
export interface CommandLine {
  words: string[]
  values: Values
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
  run(context: Context, line: CommandLine): Promise<void>
}
