// A member with a browser to which notifications are pushed, and the push service of that browser.
import { PushBrowser, type PushService, withPushService } from './push-service.ts'
import { home } from './webhook-receiver.ts'
import type { Person, World } from './world.ts'

export interface Scene extends World {
  service: PushService
  browser: PushBrowser
  /** What arrived at the browser of alice. */
  read(): ReturnType<PushBrowser['read']>
  /** Bob mentions alice; then it is pushed. */
  mention(): Promise<void>
  /** Browsers that are stored, and what waits for them. */
  stored(): Promise<[subscriptions: number, messages: number]>
}

const named = (person: Person, username: string) => person.profile.setUsername({ username })

/** Alice has a browser to which is pushed. */
export function pushed(world: World, run: (scene: Scene) => Promise<void>): Promise<void> {
  return withPushService(async (service) => {
    const { alice, bob, app, db, dependencies } = world
    dependencies.reach = home
    await named(alice, 'alice')
    const browser = new PushBrowser()
    await alice.push.subscribe(browser.at(service))
    const mention = async () => {
      await bob.posts.create({ title: 'Lunch', body: 'Are you there, @alice?' })
      await app.deliver()
      await app.push()
    }
    const count = async (table: 'pushSubscription' | 'pushMessage') =>
      (await db.selectFrom(table).select('createdAt').execute()).length
    const stored = async (): Promise<[number, number]> => [await count('pushSubscription'), await count('pushMessage')]
    await run({ ...world, service, browser, read: () => browser.read(service), mention, stored })
  })
}
