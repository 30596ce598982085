// Settings that change while the server runs: the environment, what is stored and the default, in every process, and what caches know of it.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { onEveryEngine, type World } from '../../test/world.ts'
import { createApp } from '../app.ts'
import type { SettingName } from '../config/settings.ts'
import { LiveSettings, storedText } from './live-settings.ts'

const at = '2026-01-01T00:00:00.000Z'

/** Stores a value as another program would. */
async function put({ db, dependencies }: World, name: SettingName, text: string): Promise<void> {
  const value = await storedText(dependencies.secretFor, name, text)
  await db
    .insertInto('setting')
    .values({ name, value, actorId: null, changedAt: at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

const remove = ({ db }: World, name: SettingName) => db.deleteFrom('setting').where('name', '=', name).execute()

/** The settings of one more process on the database. */
function another({ dependencies }: World): LiveSettings {
  const { db, changes, log, secretFor, settings } = dependencies
  return new LiveSettings({ config: settings.environment, db, changes, log, secretFor })
}

onEveryEngine(
  'settings while the server runs',
  (it) => {
    it('have the stored value in the place of the default, and the default again', async (world) => {
      const settings = another(world)
      const { config } = settings
      assert.deepEqual([config.signUp, config.name], ['open', 'Guildhall'])
      await put(world, 'SIGN_UP', 'closed')
      await put(world, 'SITE_NAME', 'Acme Lab')
      await settings.reload()
      assert.deepEqual([config.signUp, config.name], ['closed', 'Acme Lab'])
      await remove(world, 'SIGN_UP')
      await settings.reload()
      assert.deepEqual([config.signUp, config.name], ['open', 'Acme Lab'])
    })

    it('have the value of the environment whatever is stored', async (world) => {
      const settings = another(world)
      await put(world, 'ACCENT', '#111111')
      await settings.reload()
      assert.equal(settings.config.accent, '#2b6cb0')
    })

    it('keep settings as they are that may not change', async (world) => {
      const settings = another(world)
      await put(world, 'PORT', '1')
      await put(world, 'ADMIN_EMAILS', 'mallory@example.com')
      await settings.reload()
      assert.deepEqual([settings.config.port, settings.config.adminEmails], [3000, []])
    })

    it('ignore what cannot be read any more, and keep the rest', async (world) => {
      const settings = another(world)
      await put(world, 'SIGN_UP', 'sometimes')
      await put(world, 'HOLD_LINKS_HOURS', '24')
      // Of a later release.
      await world.db.insertInto('setting').values({ name: 'GONE', value: 'x', actorId: null, changedAt: at }).execute()
      await settings.reload()
      assert.deepEqual([settings.config.signUp, settings.config.holdLinksHours], ['open', 24])
    })

    it('ignore stored values that contradict each other or the environment', async (world) => {
      const settings = another(world)
      await put(world, 'SIGN_UP', 'closed')
      await put(world, 'SIGN_UP_DOMAINS', 'example.com')
      await put(world, 'HOLD_LINKS_HOURS', '24')
      await settings.reload()
      const { signUp, signUpDomains, holdLinksHours } = settings.config
      assert.deepEqual([signUp, signUpDomains, holdLinksHours], ['open', [], 24])
    })

    it('open a sealed secret, and ignore one that was sealed with another key', async (world) => {
      const settings = another(world)
      await put(world, 'OIDC_ISSUER', 'https://login.example')
      await put(world, 'OIDC_CLIENT_ID', 'guildhall')
      await put(world, 'OIDC_CLIENT_SECRET', 'hunter2')
      await settings.reload()
      assert.equal(settings.config.external?.clientSecret, 'hunter2')
      const { value } = await world.db
        .selectFrom('setting')
        .select('value')
        .where('name', '=', 'OIDC_CLIENT_SECRET')
        .executeTakeFirstOrThrow()
      assert.ok(!value.includes('hunter2'))
      await world.db
        .updateTable('setting')
        .set({ value: value.slice(4) })
        .where('name', '=', 'OIDC_CLIENT_SECRET')
        .execute()
      await settings.reload()
      assert.deepEqual(
        [settings.config.external?.issuer, settings.config.external?.clientSecret],
        ['https://login.example', undefined],
      )
    })

    it('hold in every process within a second, and cached pages with them', async (world) => {
      const { anonymous, dependencies } = world
      const isClosed = async () => {
        const page = await (await anonymous.request('/sign-up')).text()
        return !page.includes('name="password"')
      }
      // Two times each: the second is from a cache, on PostgreSQL in both processes.
      for (let turn = 0; turn < 4; turn++) assert.equal(await isClosed(), false)
      await put(world, 'SIGN_UP', 'closed')
      await sleep(1_000)
      for (let turn = 0; turn < 4; turn++) assert.equal(await isClosed(), true)
      assert.equal(dependencies.config.signUp, 'closed')
      await remove(world, 'SIGN_UP')
      await sleep(1_000)
      for (let turn = 0; turn < 4; turn++) assert.equal(await isClosed(), false)
    })

    it('are looked for while there are no requests', async (world) => {
      const settings = another(world)
      await settings.reload()
      const changed = Promise.withResolvers<void>()
      let changes = -1
      settings.onChange(() => {
        if (++changes > 0) changed.resolve()
      })
      const { jobs } = createApp({ ...world.dependencies, settings })
      jobs.start()
      try {
        await put(world, 'LOG_LEVEL', 'warn')
        await changed.promise
      } finally {
        await jobs.stop()
      }
      assert.deepEqual([settings.config.logLevel, changes], ['warn', 1])
    })
  },
  { ACCENT: '#2b6cb0' },
)
