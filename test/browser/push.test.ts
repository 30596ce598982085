// Notifications in the browser: turning them on in the settings, what the service worker shows, and the page that it opens.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { skip, skipWindows, withWindows } from './chromium.ts'
import { visit, withSite } from './site.ts'

/** In the worker, whose globals TypeScript does not know here: what a push shows. */
const SHOW = `(async () => {
  const data = JSON.stringify({ title: 'Guild', body: 'bob mentioned you', url: '/notifications', tag: 'one' })
  const waited = []
  const event = new PushEvent('push', { data })
  Object.defineProperty(event, 'waitUntil', { value: (work) => waited.push(work) })
  dispatchEvent(event)
  await Promise.all(waited)
  return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data }))
})()`

/** What is opened by a click on what was shown, and on what names other sites. */
const CLICK = `(async () => {
  const urls = []
  Object.defineProperty(clients, 'openWindow', { value: (url) => urls.push(url) })
  const [shown] = await registration.getNotifications()
  for (const data of [shown.data, 'https://elsewhere.example/', '//elsewhere.example/']) {
    const event = Object.assign(new Event('notificationclick'), { notification: { data, close() {} }, waitUntil() {} })
    dispatchEvent(event)
  }
  return urls
})()`

/** What the server is told when the browser subscribed again, by itself or not. */
const RENEW = `(async () => {
  const keys = { p256dh: 'p', auth: 'a' }
  const told = []
  globalThis.fetch = async (url, init) => {
    if (!init) return new Response(JSON.stringify({ publicKey: 'BKey' }))
    told.push([init.method, url, JSON.parse(init.body)])
    return new Response('{}')
  }
  const subscriptionAt = (endpoint) => ({ endpoint, toJSON: () => ({ endpoint, keys }) })
  PushManager.prototype.getSubscription = async () => null
  PushManager.prototype.subscribe = async ({ applicationServerKey: key }) => subscriptionAt('https://push.example/' + key)
  for (const subscriptions of [
    { oldSubscription: subscriptionAt('https://push.example/1'), newSubscription: subscriptionAt('https://push.example/2') },
    { oldSubscription: null, newSubscription: null },
  ]) {
    const waited = []
    const waitUntil = (work) => waited.push(work)
    dispatchEvent(Object.assign(new Event('pushsubscriptionchange'), { ...subscriptions, waitUntil }))
    await Promise.all(waited)
  }
  return told
})()`

describe('notifications in the browser', { skip }, () => {
  it('are offered where there is a script, and their settings are kept without one', () =>
    withSite(async (site) => {
      for (const scripted of [true, false]) {
        const mara = await visit(site, { scripted, name: scripted ? 'mara' : 'olaf' })
        await mara.open('/settings/notifications')
        await mara.page.getByRole('heading', { name: 'Notifications in your browsers' }).waitFor()
        assert.equal(await mara.page.getByRole('button', { name: 'Turn on in this browser' }).count(), scripted ? 1 : 0)
        await mara.page.getByLabel('Show mentions in my browsers').selectOption('no')
        await mara.page.getByRole('button', { name: 'Save' }).click()
        await mara.page.getByText('Saved').waitFor()
        assert.equal(await mara.page.getByLabel('Show mentions in my browsers').inputValue(), 'no')
        mara.checkComplaints()
      }
    }))

  it('say why they cannot be turned on where the reader does not allow them', () =>
    withSite(async (site) => {
      const mara = await visit(site, { scripted: true, name: 'mara' })
      await mara.open('/settings/notifications')
      await mara.page.evaluate(() => {
        Notification.requestPermission = async () => 'denied'
      })
      await mara.page.getByRole('button', { name: 'Turn on in this browser' }).click()
      await mara.page.getByText('does not allow notifications').waitFor()
      mara.checkComplaints()
    }))

  it('are turned on and off in the settings', () =>
    withSite(async (site) => {
      const mara = await visit(site, { scripted: true, name: 'mara' })
      await mara.open('/settings/notifications')
      // Chromium of a test has no push service: the address is that of one that is not there, everything else is its own.
      await mara.page.evaluate(() => {
        Notification.requestPermission = async () => 'granted'
        PushManager.prototype.subscribe = async (options) => {
          const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits'])
          const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
          const coded = (bytes: Uint8Array) =>
            btoa(String.fromCharCode(...bytes))
              .replaceAll('+', '-')
              .replaceAll('/', '_')
              .replaceAll('=', '')
          const keys = { p256dh: coded(raw), auth: coded(crypto.getRandomValues(new Uint8Array(16))) }
          const length = String(options?.applicationServerKey).length
          const json = { endpoint: `https://push.example/${length}`, expirationTime: null, keys }
          return { toJSON: () => json } as unknown as PushSubscription
        }
      })
      await mara.page.getByRole('button', { name: 'Turn on in this browser' }).click()
      await mara.page.getByText('This browser now shows notifications').waitFor()
      await mara.page.getByText('This browser', { exact: true }).waitFor()
      const stored = await site.world.db.selectFrom('pushSubscription').select('device').execute()
      assert.equal(stored.length, 1)
      await mara.page.getByRole('button', { name: /^Remove / }).click()
      await mara.page.getByRole('button', { name: /^Remove / }).waitFor({ state: 'detached' })
      assert.deepEqual(await site.world.db.selectFrom('pushSubscription').select('device').execute(), [])
      mara.checkComplaints()
    }))

  it('are shown by the service worker, which opens their page on this site alone', { skip: skipWindows }, () =>
    withSite((site) =>
      withWindows(async (browser) => {
        const mara = await visit({ ...site, browser }, { scripted: true, name: 'mara' })
        await mara.context.grantPermissions(['notifications'])
        await mara.open('/settings/notifications')
        await mara.page.evaluate(() => {
          PushManager.prototype.subscribe = async () => Promise.reject(new Error('none'))
        })
        const [worker] = await Promise.all([
          mara.context.waitForEvent('serviceworker'),
          mara.page.getByRole('button', { name: 'Turn on in this browser' }).click(),
        ])
        await mara.page.getByText('could not turn on notifications').waitFor()
        assert.deepEqual(await worker.evaluate(SHOW), [
          { title: 'Guild', body: 'bob mentioned you', tag: 'one', data: '/notifications' },
        ])
        const opened = await worker.evaluate(CLICK)
        assert.deepEqual(opened, [`${new URL(mara.page.url()).origin}/notifications`])
        const keys = { p256dh: 'p', auth: 'a' }
        assert.deepEqual(await worker.evaluate(RENEW), [
          [
            ...['POST', '/api/account/push'],
            { endpoint: 'https://push.example/2', keys, replaces: 'https://push.example/1' },
          ],
          ['POST', '/api/account/push', { endpoint: 'https://push.example/BKey', keys }],
        ])
      }),
    ),
  )
})
