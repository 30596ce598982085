// The data model of webhooks; schema.ts has the rest, and the rules for all of it.
import type { Generated } from 'kysely'

/** An address that events are sent to. */
export interface WebhookTable {
  id: string
  ownerId: string
  /** The library item whose events it gets; null for those of the whole community. */
  itemId: string | null
  url: string
  description: string
  /** A JSON array of names; empty for all. */
  events: string
  /** The secrets are encrypted. The previous one signs too, until its time is over. */
  secret: string
  previousSecret: string | null
  previousSecretUntil: string | null
  createdAt: string
  updatedAt: string
  disabledAt: string | null
  disabledReason: 'owner' | 'failing' | 'gone' | null
  /** The first failure since the last success. */
  failingSince: string | null
  /** Failures of the address itself, one after the other. */
  failures: Generated<number>
  /** When the next of its deliveries is due; null for none. */
  dueAt: string | null
  /** An address that does not respond gets nothing before this moment. */
  pausedUntil: Generated<string>
  /** A process sends its deliveries until then. */
  leaseEndsAt: Generated<string>
}

export interface WebhooksDatabase {
  webhook: WebhookTable
}
