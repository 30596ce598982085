// Who one is in the community (interface.md, section 4, Profile and identity).
import { z } from 'zod'
import { open, read, write } from '../../content/area.ts'
import { FeedItem } from '../../content/feed/contract.ts'
import { Id, listInput, listOf, optionalText, Timestamp, text } from '../../contract/fields.ts'
import type { Contract } from '../../contract/operation.ts'

export const Username = z
  .string()
  .trim()
  .min(3)
  .max(24)
  .regex(/^[A-Za-z0-9_-]*$/, 'must be letters, digits, underscores and hyphens')
  .meta({ example: 'alice' })

const Identity = z
  .object({ id: Id, username: z.string().nullable(), name: z.string().nullable(), avatarUrl: z.string().nullable() })
  .meta({ id: 'Identity' })

/** An https address, of one of the hosts or a subdomain if any are named; empty is none. What browsers would repair is refused. */
function webAddress(...hosts: string[]) {
  const message = hosts.length > 0 ? `must be an https address of ${hosts.join(' or ')}` : 'must be an https address'
  return optionalText(500).refine((value) => value === null || isAddressOf(value, hosts), message)
}

function isAddressOf(value: string, hosts: readonly string[]): boolean {
  const url = /^https:\/\/[^\s\\]+$/i.test(value) ? URL.parse(value) : null
  if (!url || url.username || url.password) return false
  return hosts.length === 0 || hosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`))
}

const ProfileTag = z
  .string()
  .trim()
  .min(1)
  .max(24)
  .regex(/^[A-Za-z0-9_-]*$/, 'must be letters, digits, underscores and hyphens')

const ProfileInput = z.object({
  name: text(1, 100),
  tagline: optionalText(140),
  jobTitle: optionalText(80),
  company: optionalText(80),
  tags: z
    .array(ProfileTag)
    .max(10)
    .nullish()
    .transform((tags) => tags ?? []),
  githubUrl: webAddress('github.com'),
  twitterUrl: webAddress('twitter.com', 'x.com'),
  linkedinUrl: webAddress('linkedin.com'),
  websiteUrl: webAddress(),
})

const line = z.string().nullable()

export const Profile = z
  .object({
    name: line,
    tagline: line,
    jobTitle: line,
    company: line,
    tags: z.array(z.string()),
    githubUrl: line,
    twitterUrl: line,
    linkedinUrl: line,
    websiteUrl: line,
  })
  .meta({ id: 'Profile' })
export type Profile = z.infer<typeof Profile>

const PublicProfile = Profile.extend({
  id: Id,
  username: z.string(),
  avatarUrl: line,
  role: z.enum(['member', 'moderator', 'admin']),
  createdAt: Timestamp,
  entries: listOf(FeedItem).meta({ description: 'What they have in the feed' }),
}).meta({ id: 'PublicProfile' })

export const profile = {
  me: {
    summary: 'Who I am',
    method: 'GET',
    path: '/community/me',
    access: read,
    input: z.object({}),
    output: Identity,
  },
  get: {
    summary: 'My profile',
    method: 'GET',
    path: '/community/profile',
    access: read,
    input: z.object({}),
    output: Profile,
  },
  update: {
    summary: 'Replace my profile',
    description: 'A field that is absent or empty becomes null, absent tags become none.',
    method: 'PATCH',
    path: '/community/profile',
    access: write,
    input: ProfileInput,
    output: Profile,
  },
  setUsername: {
    summary: 'Choose or change my username',
    description: 'Unique without regard to case. A name that is taken or reserved is refused with 400.',
    method: 'POST',
    path: '/community/username',
    idempotent: true,
    access: write,
    input: z.object({ username: Username }),
    output: z.object({ username: z.string() }),
  },
  show: {
    summary: "Somebody's public profile, with a page of what they have in the feed",
    description: 'Found by username, whatever the case. A blocked account has none.',
    method: 'GET',
    path: '/community/users/{username}',
    access: open,
    input: listInput.extend({ username: text(1, 200).meta({ description: 'In any case' }) }),
    output: PublicProfile,
    problems: ['not_found'],
  },
} satisfies Contract
