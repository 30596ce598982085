// Log lines as JSON on standard output, with request ids and without secrets: no header, body or token is logged.
import pino, { type Logger } from 'pino'

export type Log = Logger

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export function openLog(level: LogLevel): Log {
  return pino({
    level,
    base: undefined,
    timestamp: pino.stdTimeFunctions.isoTime,
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
