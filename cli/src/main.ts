#!/usr/bin/env node
// The process of the command line.
import { exitCodes } from './exit-codes.ts'
import { main } from './program.ts'

const { stdin, stdout, stderr, env: environment } = process
const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort(new Error('Interrupted')))
// What reads the output has had enough, such as `head`.
stdout.on('error', ({ code }: NodeJS.ErrnoException) => process.exit(code === 'EPIPE' ? 0 : exitCodes.refused))
process.exitCode = await main(process.argv.slice(2), {
  environment,
  stdin,
  stdout,
  stderr,
  signal: interruption.signal,
})
