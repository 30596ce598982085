// Settings that admins change: who may, what is refused, the history and the way back, and that no secret is ever shown.
import assert from 'node:assert/strict'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { liveNames, settings } from '../../config/settings.ts'
import { about } from '../../config/values.ts'

const SECRET = 'hunter2-hunter2'

const settingOf = async ({ admin }: World, name: string) =>
  (await admin.settings.list()).items.find((one) => one.name === name)!

const refused = (status: number, message?: RegExp) => (error: { status: number; message: string }) =>
  error.status === status && (message?.test(error.message) ?? true)

onEveryEngine(
  'settings that admins change',
  (it) => {
    it('hold at once, and say who changed them and when', async (world) => {
      const { admin, dependencies } = world
      const before = await settingOf(world, 'SIGN_UP')
      assert.deepEqual(
        [before.value, before.source, before.changedBy, before.section],
        ['open', 'default', null, 'sign-up'],
      )
      assert.deepEqual(before.choices, ['open', 'invited', 'closed'])
      const { version } = await admin.settings.list()
      const change = await admin.settings.change({ changes: { SIGN_UP: 'closed', SITE_NAME: ' Acme Lab ' }, version })
      assert.deepEqual(change, {
        version: version + 2,
        changes: [
          { name: 'SITE_NAME', before: 'Guildhall', after: 'Acme Lab' },
          { name: 'SIGN_UP', before: 'open', after: 'closed' },
        ],
      })
      const after = await settingOf(world, 'SIGN_UP')
      assert.deepEqual([after.value, after.source, after.default], ['closed', 'stored', 'open'])
      assert.ok(after.changedAt)
      assert.equal((await admin.invitations.list()).signUp, 'closed')
      await world.anonymous.request('/')
      assert.equal(dependencies.config.name, 'Acme Lab')
      assert.deepEqual((await admin.settings.change({ changes: { SIGN_UP: null } })).changes, [
        { name: 'SIGN_UP', before: 'closed', after: 'open' },
      ])
      assert.equal((await settingOf(world, 'SIGN_UP')).source, 'default')
    })

    it('are for admins alone', async ({ alice, moderator, anonymous, admin }) => {
      await admin.settings.change({ changes: { HOLD_LINKS_HOURS: '3' } })
      const { id } = (await admin.settings.listChanges()).items[0]!
      for (const [person, status] of [
        [alice, 403],
        [moderator, 403],
        [anonymous, 401],
      ] as const) {
        await assert.rejects(person.settings.list(), refused(status))
        await assert.rejects(person.settings.change({ changes: { SITE_NAME: 'Mine' } }), refused(status))
        await assert.rejects(person.settings.listChanges(), refused(status))
        await assert.rejects(person.settings.undoChange({ id }), refused(status))
      }
      assert.equal((await admin.settings.listChanges()).items.length, 1)
    })

    it('change all together or not at all', async (world) => {
      const { admin } = world
      const wrong: [Record<string, string | null>, number, RegExp][] = [
        [{ SITE_NAME: 'Acme', SIGN_UP: 'sometimes' }, 400, /^SIGN_UP: must be open, invited or closed$/],
        [
          { SITE_NAME: 'Acme', SIGN_UP: 'closed', SIGN_UP_DOMAINS: 'example.com' },
          400,
          /^SIGN_UP_DOMAINS is set, but SIGN_UP is closed/,
        ],
        [{ SITE_NAME: 'Acme', OIDC_ISSUER: 'https://login.example' }, 400, /belong together/],
        [{ SITE_NAME: 'Acme', OIDC_ISSUER: 'http://localhost:9', OIDC_CLIENT_ID: 'x' }, 400, /without https/],
        [{ SITE_NAME: 'Acme', PORT: '1' }, 400, /PORT is no setting that may change/],
        [{ SITE_NAME: 'Acme', ADMIN_EMAILS: 'm@example.com' }, 400, /ADMIN_EMAILS is no setting/],
        [{ SITE_NAME: 'Acme', toString: 'x' }, 400, /toString is no setting/],
        [{ SITE_NAME: 'Acme', ACCENT: '#000000' }, 409, /ACCENT is set by the environment/],
      ]
      for (const [changes, status, message] of wrong) {
        await assert.rejects(admin.settings.change({ changes }), refused(status, message), JSON.stringify(changes))
      }
      assert.equal((await settingOf(world, 'SITE_NAME')).value, 'Guildhall')
      assert.deepEqual((await admin.settings.listChanges()).items, [])
      const accent = await settingOf(world, 'ACCENT')
      assert.deepEqual([accent.value, accent.source], ['#2b6cb0', 'environment'])
    })

    it('are shown in a dry run as they will be, and stay as they are', async (world) => {
      const { admin } = world
      const response = await admin.request('/api/community/admin/settings', {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json', Prefer: 'handling=dry-run', Origin: 'http://localhost:3000' },
        body: JSON.stringify({ changes: { SIGN_UP: 'invited' } }),
      })
      assert.equal(response.status, 200)
      assert.deepEqual((await response.json()).changes, [{ name: 'SIGN_UP', before: 'open', after: 'invited' }])
      assert.equal((await settingOf(world, 'SIGN_UP')).value, 'open')
      assert.deepEqual((await admin.settings.listChanges()).items, [])
    })

    it('are changed by one of two admins who saw the same', async (world) => {
      const { admin } = world
      await admin.account()
      const { version } = await admin.settings.list()
      const changes = [...Array(8).keys()].map((hours) =>
        admin.settings.change({ changes: { HOLD_LINKS_HOURS: String(hours + 1) }, version }),
      )
      const results = await Promise.allSettled(changes)
      const lost = results.filter((one) => one.status === 'rejected')
      assert.equal(lost.length, 7)
      assert.ok(lost.every(({ reason }) => reason.status === 409))
      assert.equal((await admin.settings.listChanges()).items.length, 1)
    })

    it('get the next numbers where several change at once', async ({ admin }) => {
      await admin.account()
      await Promise.all(
        [...Array(8).keys()].map((n) => admin.settings.change({ changes: { OPERATOR_LAW: `Law ${n}` } })),
      )
      const { items } = await admin.settings.listChanges({ per_page: 5, cursor: '' })
      assert.equal(items.length, 5)
      assert.equal((await admin.settings.list()).version, 8)
    })

    it('have a way back, unless they were changed since', async (world) => {
      const { admin } = world
      await admin.settings.change({ changes: { SITE_NAME: 'Acme' } })
      await admin.settings.change({ changes: { SITE_NAME: 'Acme Lab' } })
      const [second, first] = (await admin.settings.listChanges()).items
      assert.deepEqual([second!.before, second!.after], ['Acme', 'Acme Lab'])
      await assert.rejects(admin.settings.undoChange({ id: first!.id }), refused(409, /SITE_NAME was changed since/))
      await admin.settings.undoChange({ id: second!.id })
      assert.equal((await settingOf(world, 'SITE_NAME')).value, 'Acme')
      await admin.settings.undoChange({ id: first!.id })
      assert.equal((await settingOf(world, 'SITE_NAME')).source, 'default')
      assert.equal((await admin.settings.listChanges()).items.length, 4)
      await assert.rejects(admin.settings.undoChange({ id: '00000000-0000-4000-8000-000000000000' }), refused(404))
    })

    it('never show a secret: in no answer, no refusal, no audit and no page', async (world) => {
      const { admin, db } = world
      const provider = { OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'guildhall' }
      const answers: unknown[] = [await admin.settings.change({ changes: { ...provider, OIDC_CLIENT_SECRET: SECRET } })]
      answers.push(await admin.settings.list(), await admin.settings.listChanges(), await admin.admin.listAudit({}))
      const bad = await admin.settings
        .change({ changes: { OIDC_CLIENT_SECRET: `${SECRET}ä` } })
        .catch((error) => error.message)
      answers.push(bad, await (await admin.request('/admin/settings')).text())
      answers.push(await db.selectFrom('setting').select(['name', 'value']).execute())
      answers.push(await db.selectFrom('settingChange').select(['name', 'valueBefore', 'valueAfter']).execute())
      answers.push(await db.selectFrom('audit').select(['detail', 'targetId']).execute())
      assert.match(bad, /^OIDC_CLIENT_SECRET: must be/)
      for (const answer of answers) assert.ok(!JSON.stringify(answer).includes('hunter2'), JSON.stringify(answer))
      const secret = await settingOf(world, 'OIDC_CLIENT_SECRET')
      assert.deepEqual([secret.value, secret.isSet, secret.isSecret], [null, true, true])
      const change = (await admin.settings.listChanges()).items.find(({ name }) => name === 'OIDC_CLIENT_SECRET')!
      await admin.settings.undoChange({ id: change.id })
      assert.equal((await settingOf(world, 'OIDC_CLIENT_SECRET')).isSet, false)
    })

    it('never send a secret to another server than the one that it was given for', async ({ admin }) => {
      const change = (changes: Record<string, string | null>) => admin.settings.change({ changes })
      const elsewhere = { OIDC_ISSUER: 'https://other.example' }
      await change({ OIDC_ISSUER: 'https://login.example', OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: SECRET })
      const refused = { status: 400, message: /^OIDC_CLIENT_SECRET: must be given again/ }
      await assert.rejects(change(elsewhere), refused)
      await change({ OIDC_ISSUER: 'https://login.example/two' })
      await change({ OIDC_ISSUER: null, OIDC_CLIENT_ID: null })
      await assert.rejects(change({ ...elsewhere, OIDC_CLIENT_ID: 'x' }), refused)
      await change({ ...elsewhere, OIDC_CLIENT_ID: 'x', OIDC_CLIENT_SECRET: null })
    })

    it('never send the token of signals to another receiver', async ({ admin }) => {
      const change = (changes: Record<string, string | null>) => admin.settings.change({ changes })
      const refused = { status: 400, message: /^SIGNAL_TOKEN: must be given again/ }
      await change({ SIGNAL_URL: 'https://signals.example/in', SIGNAL_TOKEN: SECRET })
      await assert.rejects(change({ SIGNAL_URL: 'https://other.example/in' }), refused)
      await change({ SIGNAL_URL: 'https://signals.example/other' })
      await change({ SIGNAL_URL: null })
      await assert.rejects(change({ SIGNAL_URL: 'https://other.example/in' }), refused)
      await change({ SIGNAL_URL: 'https://other.example/in', SIGNAL_TOKEN: 'another' })
      const given = (await admin.settings.listChanges({})).items.find(({ name }) => name === 'SIGNAL_TOKEN')
      await assert.rejects(admin.settings.undoChange({ id: given!.id }), { status: 409 })
    })

    it('say of each secret where it is sent, or are secrets that are sent nowhere', async () => {
      const secrets = liveNames.filter((name) => about.get(settings.shape[name])?.secret)
      const sent = secrets.map((name) => [name, about.get(settings.shape[name])?.sentTo])
      assert.deepEqual(Object.fromEntries(sent), {
        ...{ AI_KEY: 'AI_URL', OIDC_CLIENT_SECRET: 'OIDC_ISSUER', SIGNAL_TOKEN: 'SIGNAL_URL' },
        // It signs what is sent.
        CLASSIFIER_SECRET: undefined,
      })
    })

    it('are in the audit log with who, what it was and what it is', async ({ admin }) => {
      await admin.settings.change({ changes: { SIGN_UP: 'invited' } })
      const [entry] = (await admin.admin.listAudit({ action: 'setting.change' })).items
      assert.deepEqual(
        [entry!.targetId, entry!.detail, entry!.actorEmail],
        ['SIGN_UP', { before: null, after: 'invited' }, 'admin@example.com'],
      )
    })
  },
  { ACCENT: '#2b6cb0' },
)
