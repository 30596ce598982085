// A test that cannot answer a command fails, and does not wait for ever.
import assert from 'node:assert/strict'
import { join, resolve } from 'node:path'
import { it } from 'node:test'
import { guildhall, guildhallProcess } from './run-cli.ts'
import { onTerminal } from './terminal.ts'

const PROGRAM = [process.execPath, resolve(import.meta.dirname, '../src/main.ts')]

onTerminal('ends with what went wrong where its questions are answered', async ({ world, home, server }) => {
  const { email } = await world.alice.account()
  const failing = { home: join(home, 'one'), onErrors: () => Promise.reject(new Error('500')) }
  const words = ['login', '--server', server, '--email', email]
  await assert.rejects(guildhall(words, failing), /500/)
  await assert.rejects(guildhallProcess(PROGRAM, words, failing), /500/)
})

it('ends with what is thrown, too', async () => {
  const onErrors = () => {
    throw new Error('thrown')
  }
  const given = { home: '/nowhere', environment: { GUILDHALL_URL: 'http://127.0.0.1:9' }, onErrors }
  await assert.rejects(guildhall(['info', 'workflow/digest'], given), /thrown/)
})
