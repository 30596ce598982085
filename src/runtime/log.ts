// Log lines as JSON on standard output, with request ids and without secrets: no header, body or token is logged.
import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import pino, { type Logger } from 'pino'

// Stacks of errors in the server that was built into a few files (start/built-server.ts), with the places of its sources. A build has a map
// beside each file, which is read when an error is logged: 36 MB, which are free again when memory is needed.

const PLACE = /(file:\/\/\S+?\.js):(\d+):(\d+)/g

const maps = new Map<string, WeakRef<SourceMap>>()

/** A stack whose places in a build are those in the sources; places elsewhere stay as they are. */
export const sourceStack = (stack: string): string =>
  stack.replace(PLACE, (place, ...[url = '', line, column]: string[]) => {
    const found = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!found || !('originalSource' in found)) return place
    const path = resolve(dirname(fileURLToPath(url)), found.originalSource)
    return `${path}:${found.originalLine + 1}:${found.originalColumn + 1}`
  })

function mapOf(url: string): SourceMap | undefined {
  const kept = maps.get(url)?.deref()
  if (kept) return kept
  const map = readMap(url)
  if (map) maps.set(url, new WeakRef(map))
  return map
}

function readMap(url: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')))
  } catch {
    // A file that was not built.
    return undefined
  }
}

export type Log = Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** An error as pino writes it, with places in the sources. */
function withSources(error: Error): unknown {
  const written = pino.stdSerializers.err(error)
  return typeof written?.stack === 'string' ? { ...written, stack: sourceStack(written.stack) } : written
}

export function openLog(level: LogLevel): Log {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: withSources },
    redact: [
      'authorization',
      'cookie',
      'password',
      'code',
      'token',
      'secret',
      'client_secret',
      '*.authorization',
      '*.cookie',
      '*.password',
      '*.code',
      '*.token',
      '*.secret',
      '*.client_secret',
    ],
  })
}
