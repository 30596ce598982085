// The guide to webhooks tells of every event, in each language.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { TEST_EVENT, webhookEvents } from '../src/contract/webhook-events.ts'

it('the guide to webhooks lists every event once, and no other', () => {
  for (const name of ['webhooks.md', 'webhooks.de.md']) {
    const text = readFileSync(new URL(`../content/docs/${name}`, import.meta.url), 'utf8')
    const rows = text.split('\n').filter((line) => line.startsWith('| `'))
    const told = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([\w.]+)`/g)].map(([, event]) => event!))
    assert.deepEqual(told.toSorted(), [...webhookEvents, TEST_EVENT].toSorted(), name)
  }
})
