// The widget on other sites: keys for admins, what a signed identity is exchanged for, and reports of guests. All else that the widget does are
// operations of their slices, which a token of the widget may call (`widget`).
import { z } from 'zod'
import { administer, byLink, inspect } from '../../content/area.ts'
import { picture } from '../../content/pictures-contract.ts'
import { auditActions } from '../../contract/audit.ts'
import { Id, ThingNumber, Timestamp, text, textLike, UsernameOrNull } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'
import { tokenActions } from '../../identity/audit-actions.ts'
import { Report } from '../bugs/subject.ts'

export const MAX_KEYS = 20

export const widgetActions = auditActions('widget-key', {
  create: 'Made a key for the widget',
  revoke: 'Revoked a key for the widget',
  use: 'Let a person of a site in by the widget',
})

const Site = z.string().max(200).meta({ example: 'https://app.example', description: 'One of `WIDGET_SITES`' })

const WidgetKey = z
  .object({ id: Id, site: textLike('https://app.example'), createdAt: Timestamp, lastUsedAt: Timestamp.nullable() })
  .meta({ id: 'WidgetKey' })

export const widget = {
  keys: {
    summary: 'List the keys of the widget',
    method: 'GET',
    path: '/community/admin/widget-keys',
    access: inspect,
    input: z.object({}),
    output: z.object({
      sites: z.array(z.string()).meta({ example: ['https://app.example'] }),
      items: z.array(WidgetKey),
    }),
  },
  createKey: {
    summary: 'Create a key with which a site signs who its people are',
    description: 'HS256: the site signs `iss` (its origin), `aud` (our address), `sub`, `name`, `iat` and `exp`.',
    method: 'POST',
    kind: 'moderation',
    path: '/community/admin/widget-keys',
    access: { ...administer, credential: 'session' },
    status: 201,
    shownOnce: true,
    audit: [widgetActions.create],
    input: z.object({ site: Site }),
    output: WidgetKey.extend({ secret: textLike('gwidget_8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs') }),
    problems: ['conflict', 'reauthentication_required'],
  },
  revokeKey: {
    summary: 'Revoke a key of the widget',
    method: 'DELETE',
    kind: 'moderation',
    path: '/community/admin/widget-keys/{id}',
    access: administer,
    audit: [widgetActions.revoke],
    input: z.object({ id: Id }),
    output: z.object({ id: Id }),
    problems: ['not_found'],
  },
  identify: {
    summary: 'Exchange what a site signed for a token of the widget',
    description:
      'The identity is good again until its `exp`, and so is the token. It lists, files, votes and comments on bugs and feature requests, lists releases, finds similar things, adds pictures, and does nothing else.',
    method: 'POST',
    kind: 'account',
    path: '/community/widget/identity',
    access: byLink,
    guesses: true,
    audit: [widgetActions.use, tokenActions.issue],
    input: z.object({ identity: text(1, 4096).meta({ example: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl' }) }),
    output: z.object({
      token: textLike('8Yk2vJ0mQm7Xb0cG1u3tqfZk5n9rWdLs'),
      expiresAt: Timestamp,
      username: UsernameOrNull,
    }),
    problems: ['unauthorized', 'blocked', 'not_found', 'rate_limited'],
  },
  report: {
    summary: 'Report a bug as a guest of the widget',
    description: 'It waits for a moderator. It takes a proof of work wherever `PROOF_OF_WORK` is on.',
    method: 'POST',
    kind: 'posts',
    path: '/community/widget/reports',
    access: byLink,
    input: z.object({}),
    upload: {
      fields: Report.extend({ description: text(1, 800).meta({ example: 'The export stays empty.' }) }),
      files: { screenshot: { ...picture, required: false } },
    },
    output: z.object({ number: ThingNumber }),
    status: 201,
    problems: ['forbidden', 'not_found', 'rate_limited'],
  },
} satisfies Contract
