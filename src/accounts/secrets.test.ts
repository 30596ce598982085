// Codes and the text of mail are nowhere to be read by one who has the database, its write-ahead log included.
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { oauthClient } from '../../test/oauth.ts'
import { onEveryEngine, SIGNING_KEY, type World } from '../../test/world.ts'
import type { Mail } from '../mail/mail.ts'
import { openOutbox } from '../mail/outbox.ts'
import { newSigningKey, openSecrets } from '../oauth/server/server.ts'
import { openLog } from '../runtime/log.ts'

/** Every byte of the database: on SQLite its files, on PostgreSQL every row of every table. */
async function bytesOf({ db, databaseUrl }: World): Promise<Buffer> {
  if (!databaseUrl.startsWith('postgres')) {
    const folder = dirname(databaseUrl)
    const files = await readdir(folder)
    assert.ok(
      files.some((file) => file.endsWith('-wal')),
      'there is a write-ahead log',
    )
    return Buffer.concat(await Promise.all(files.map((file) => readFile(join(folder, file)))))
  }
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db)
  const tables = await Promise.all(rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db)))
  return Buffer.from(JSON.stringify(tables.map((table) => table.rows)))
}

/** Codes by every way there is, while their mail waits and after it went out. */
async function mailedCodes(world: World): Promise<{ codes: string[]; waiting: Buffer }> {
  const { alice, anonymous, mails } = world
  const client = oauthClient(world)
  const { email } = await alice.account()
  for (let round = 0; round < 3; round++) {
    await anonymous.accounts.sendCode({ email })
    await anonymous.accounts.forgotPassword({ email })
    await alice.accounts.sendVerification({})
    await alice.reauthentication.sendCode({})
    await client.claim(email, 'community:read')
  }
  const waiting = await bytesOf(world)
  const codes = (await mails(email)).map(({ body }) => body.match(/^\d{6}$/m)?.[0]).filter((code) => code !== undefined)
  return { codes, waiting }
}

onEveryEngine('the database', (it) => {
  it('holds no code that was mailed, before or after its mail went out', async (world) => {
    const { codes, waiting } = await mailedCodes(world)
    assert.ok(codes.length > 15)
    const after = await bytesOf(world)
    for (const code of codes) {
      // Six digits also occur in times and ids: only a code that stands alone counts.
      const alone = new RegExp(`(?<![\\da-f.-])${code}(?![\\da-f-])`)
      for (const bytes of [waiting, after]) assert.doesNotMatch(bytes.toString('latin1'), alone)
    }
    for (const words of ['Enter this code', 'asks to sign in to Guildhall as you']) {
      assert.ok(!waiting.includes(words) && !after.includes(words), words)
    }
  })

  it('does not give a code away to one who tries all of them', async (world) => {
    const { email } = await world.alice.account()
    const code = await world.code(email)
    const { createHash } = await import('node:crypto')
    const stored = await world.db.selectFrom('emailCode').selectAll().execute()
    const plain = createHash('sha256').update(`verify-email\n${email}\n${code}`).digest('base64url')
    assert.ok(stored.length > 0 && stored.every(({ codeHash }) => codeHash !== plain))
  })
})

onEveryEngine('mail that waits', (it) => {
  const senderWith = ({ db, clock, dependencies }: World, signingKey: string, sent: Mail[]) =>
    openOutbox({
      site: { name: 'Guildhall' },
      db,
      clock,
      log: openLog('silent'),
      mailer: { send: async (mail) => void sent.push(mail), close() {} },
      secretFor: openSecrets({ ...dependencies.config, signingKey: JSON.parse(signingKey) }),
    })
  const letter = { recipient: 'carol@example.com', subject: 'Hello', body: 'Hello\n' }

  it('is read by any process that has the signing key', async (world) => {
    const sent: Mail[] = []
    await world.dependencies.outbox.enqueue(world.db, letter)
    await senderWith(world, SIGNING_KEY, sent).flush()
    assert.equal(sent[0]!.body, letter.body)
  })

  it('is given up, and holds up nothing, when it was written under another key', async (world) => {
    const sent: Mail[] = []
    await world.dependencies.outbox.enqueue(world.db, letter)
    const other = senderWith(world, JSON.stringify(newSigningKey()), sent)
    await other.enqueue(world.db, { ...letter, body: 'Later\n' })
    await other.flush()
    assert.deepEqual(
      sent.map(({ body }) => body),
      ['Later\n'],
    )
    assert.equal((await world.db.selectFrom('outbox').selectAll().execute()).length, 1)
  })

  it('from before texts were encrypted goes out as it is', async (world) => {
    const sent: Mail[] = []
    const now = new Date(world.clock.now()).toISOString()
    const row = { id: 'old', ...letter, createdAt: now, attempts: 0, nextAttemptAt: now, sentAt: null }
    await world.db.insertInto('outbox').values(row).execute()
    await senderWith(world, SIGNING_KEY, sent).flush()
    assert.equal(sent[0]!.body, letter.body)
  })
})
