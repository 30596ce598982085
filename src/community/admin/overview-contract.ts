// One answer with what an operator wants to know: what waits and fails, how the community grows, and when it was last backed up.
import { z } from 'zod'
import { inspect } from '../../content/area.ts'
import { Id, Timestamp, textLike } from '../../contract/fields.ts'
import { Href } from '../../contract/href.ts'
import type { Contract } from '../../contract/operation.ts'
import { ages, LOOKED_AT, MOST_COUNTED, WEEKS } from './overview-rules.ts'

const Count = z.int().meta({ example: 12 })

const Waiting = z
  .object({
    name: z.enum(['cases', 'mail', 'events', 'webhooks', 'erasures']),
    count: Count,
    oldestAt: Timestamp.nullable(),
  })
  .meta({ id: 'WaitingQueue' })

const Week = z
  .object({
    week: z.iso.date().meta({ description: 'Its Monday (UTC)', example: '2026-11-23' }),
    joined: Count.meta({ description: 'Accounts that were made' }),
    active: Count.nullable().meta({
      description: 'Accounts that had an open session; null for a week in which it was not noted',
    }),
    byPeople: Count.meta({ description: 'Entries of the feed that people wrote themselves' }),
    byAgents: Count.meta({ description: 'Entries of the feed that agents wrote for them' }),
    databaseBytes: z.int().nullable().meta({ description: 'The size of the database when it was last noted' }),
    storedBytes: z.int().nullable().meta({ description: 'The bytes of the files of accounts, as above' }),
  })
  .meta({ id: 'OverviewWeek' })

export const overview = {
  get: {
    summary: 'What waits, what fails, how the community grows, and when it was backed up',
    synonyms: ['statistics', 'dashboard', 'admin figures'],
    description: `Weeks are the last ${WEEKS}, the oldest first. Each figure counts ${MOST_COUNTED} rows at most: then there are at least so many. Sizes and active members are noted once an hour.`,
    method: 'GET',
    path: '/community/admin/overview',
    access: inspect,
    input: z.object({}),
    output: z.object({
      countedAt: Timestamp,
      waiting: z.array(Waiting),
      weeks: z.array(Week),
      bugs: z.object({
        open: z.array(
          z
            .object({
              age: z.enum(ages).meta({ description: 'Younger than a day, a week, 30 days or 90 days, or older' }),
              count: Count,
            })
            .meta({ id: 'OpenBugs' }),
        ),
        medianAnswerSeconds: z
          .int()
          .nullable()
          .meta({ description: 'Until another account first commented, of those that were answered', example: 5400 }),
        answered: Count,
        lookedAt: Count.meta({ description: `The newest bugs, ${LOOKED_AT} at most` }),
      }),
      downloads: z
        .array(
          z
            .object({
              id: Id,
              name: textLike('Night Clerk'),
              url: textLike('/library/orgs/night-clerk'),
              href: Href,
              count: Count,
            })
            .meta({ id: 'DownloadedItem' }),
        )
        .meta({ description: 'The items that were downloaded most in seven days, of those that everybody sees' }),
      failing: z.object({
        mails: Count.meta({ description: 'That failed and are tried again' }),
        webhooks: Count.meta({ description: 'That fail and are tried again' }),
        disabledWebhooks: Count.meta({ description: 'That were disabled because they failed' }),
        jobs: z.array(
          z
            .object({
              kind: textLike('mail.send'),
              failing: Count,
              givenUp: Count,
              error: textLike('timeout').nullable(),
            })
            .meta({ id: 'FailingJob' }),
        ),
      }),
      backups: z.object({
        backupAt: Timestamp.nullable().meta({ description: 'Of the last backup that was taken on this machine' }),
        changesAt: Timestamp.nullable().meta({ description: 'Until when a continuous backup has all changes' }),
        restoredAt: Timestamp.nullable().meta({ description: 'When the data folder was last restored from a backup' }),
      }),
      version: z.object({
        server: textLike('0.1.0'),
        node: textLike('v26.10.0'),
        database: z.enum(['sqlite', 'postgres']),
        migration: textLike('0168-week-figures').meta({ description: 'The newest that this version knows' }),
      }),
    }),
  },
} satisfies Contract
