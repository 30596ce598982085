// Log lines as JSON on standard output, with request ids and without secrets: no header, body or token is logged.
import pino, { type Logger } from 'pino'
import { sourceStack } from './source-stacks.ts'

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
