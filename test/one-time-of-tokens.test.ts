// One time for what is signed: processes on one PostgreSQL whose clocks differ take the proofs, nonces and tokens of each other.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { decodeJwt } from 'jose'
import { createApp } from '../src/app.ts'
import { keepTime } from '../src/database/open.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { KeptClock } from '../src/runtime/clock.ts'
import { onPostgres } from './databases.ts'
import { boundTokens, keyHolder, newKey, refreshForm } from './dpop.ts'
import { AGENT, oauthClient } from './oauth.ts'
import { temporaryDirectory } from './temporary.ts'
import { makeWorld, type World } from './world.ts'

/** By how many seconds the clocks of the machines are ahead. */
const CLOCKS = [-25, 0, 25, 300, 3_600]
const pairs = CLOCKS.flatMap((one) => CLOCKS.map((other) => [one, other] as const))

onPostgres('processes at -25 s, 0, +25 s, 5 minutes and an hour', (open) => {
  plainIt('take what each other signed, at each of 25 pairs, and remove none of it', async (t) => {
    const database = await open()
    t.after(() => database.remove())
    const BLOB_URL = `file:${await temporaryDirectory(t)}`
    const worlds = new Map<number, World>()
    for (const ahead of CLOCKS) {
      const { sync: _, ...store } = openPostgres(database.url, { connections: 2 })
      t.after(() => store.db.destroy())
      const keep = (machine: World['clock']) => new KeptClock(machine)
      const world = await makeWorld({ ...store, url: database.url }, { BLOB_URL }, { keep: keep as never })
      world.clock.jump(ahead)
      await keepTime(world.dependencies.clock as KeptClock, store)
      worlds.set(ahead, world)
    }
    const at = (ahead: number) => worlds.get(ahead)!
    await at(0).alice.account()
    let held = 0
    for (const [here, there] of pairs) {
      const words = `${here} ${there}`
      const key = await newKey()
      const iat = Math.floor(Date.now() / 1000)
      const [mine, theirs] = [keyHolder(at(here), key), keyHolder(at(there), key)]
      const tokens = await boundTokens({ ...at(here), alice: at(0).alice }, key)
      const said = decodeJwt(tokens.id_token!)
      assert.ok(Math.abs(said.iat! - iat) <= 10 && said.exp! - said.iat! === 3_600, `${words} ${said.iat! - iat}`)
      assert.equal((await theirs.call(tokens.access_token, { changes: { iat } })).status, 200, words)
      const late = await mine.call(tokens.access_token, { changes: { iat: iat - 3_600 } })
      const nonce = late.headers.get('dpop-nonce')!
      const form = refreshForm(tokens.refresh_token)
      assert.equal((await theirs.token(form, { iat: iat - 3_600, nonce })).status, 200, words)
      await createApp(at(there).dependencies).cleanUp()
      const again = await mine.token(form, { iat })
      assert.equal((await theirs.call(again.access_token, { changes: { iat } })).status, 200, words)
      held++
    }
    assert.equal(held, 25)
    const plain = await oauthClient(at(0)).signIn(at(0).alice, { clientId: AGENT, scope: 'community:read' })
    for (const ahead of CLOCKS) assert.equal((await oauthClient(at(ahead)).call(plain.access_token)).status, 200)
  })
})
