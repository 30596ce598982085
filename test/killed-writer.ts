// A process of its own that makes a write with an idempotency key, and is killed at its commit: `before` it, or `after` it, when the answer
// is not sent yet. Arguments: the database, the folder of the files, the signing key, and when.
import { openDatabase } from '../src/database/open.ts'
import { makeWorld } from './world.ts'

const [url = '', folder = '', key = '', when = ''] = process.argv.slice(2)
const store = await openDatabase(url)
const { db } = store
let isArmed = false
const start = db.startTransaction.bind(db)
const die = () => process.kill(process.pid, 'SIGKILL')
db.startTransaction = () =>
  Object.assign(start(), {
    async execute() {
      const transaction = await start().execute()
      const commit = transaction.commit.bind(transaction)
      const dying = async () => {
        if (isArmed && when === 'before') die()
        await commit().execute()
        if (isArmed) die()
      }
      return Object.assign(transaction, { commit: () => Object.assign(commit(), { execute: dying }) })
    },
  })
const world = await makeWorld({ ...store, url }, { BLOB_URL: `file:${folder}`, SIGNING_KEY: key })
const body = JSON.stringify({ name: 'ada', email: 'ada@example.com', password: 'a long enough password' })
const headers = { 'Content-Type': 'application/json' }
const signedUp = await world.app.fetch(
  new Request('http://localhost:3000/api/auth/sign-up/email', { method: 'POST', headers, body }),
)
const Cookie = signedUp.headers.getSetCookie()[0]?.split(';')[0] ?? ''
// Written whole before the process is killed.
await new Promise<void>((resolve) => process.stdout.write(`${Cookie}\n`, () => resolve()))
isArmed = true
await world.app.fetch(
  new Request('http://localhost:3000/api/community/posts', {
    method: 'POST',
    headers: { ...headers, Cookie, 'Idempotency-Key': 'k' },
    body: JSON.stringify({ title: 'T', body: 'B' }),
  }),
)
