// A webhook of an admin with a real receiver, for tests of deliveries.
import assert from 'node:assert/strict'
import { home, type Receiver, receiving } from './webhook-receiver.ts'
import type { World } from './world.ts'

export interface Scene extends World {
  receiver: Receiver
  id: string
  secret: string
  /** The newest delivery. */
  last(): ReturnType<typeof lastOf>
  test(): Promise<void>
}

/** The newest delivery of a webhook. */
export const lastOf = async ({ admin }: World, id: string) => {
  const { items } = await admin.webhooks.deliveries({ id })
  assert.ok(items[0])
  return items[0]
}

/** A webhook of an admin, with a receiver. */
export const withWebhook = (world: World, run: (scene: Scene) => Promise<void>) =>
  receiving(async (receiver) => {
    world.dependencies.reach = home
    const { id, secret } = await world.admin.webhooks.create({ url: receiver.url })
    assert.ok(secret)
    const test = async () => {
      await world.admin.webhooks.test({ id })
      await world.app.sendWebhooks()
    }
    await run({ ...world, receiver, id, secret, test, last: () => lastOf(world, id) })
  })
