// Who one is in the community (interface.md, section 4, Profile and identity).
import { z } from 'zod'
import { everybody, open, read, write } from '../../content/area.ts'
import { FeedItem } from '../../content/feed/contract.ts'
import { AvatarWidth, picture, pictureTypes } from '../../content/pictures-contract.ts'
import { GrantBounds } from '../../contract/bounds.ts'
import {
  AvatarUrlOrNull,
  EXAMPLE_ID,
  Id,
  line,
  listInput,
  listOf,
  NameOrNull,
  optionalLine,
  optionalText,
  RoleName,
  Timestamp,
  text,
  textLike,
  UsernameOrNull,
} from '../../contract/fields.ts'
import { memberFile } from '../../contract/files.ts'
import type { Contract } from '../../contract/operation.ts'

export const Username = z
  .string()
  .trim()
  .min(3)
  .max(24)
  .regex(/^[A-Za-z0-9_-]*$/, 'must be letters, digits, underscores and hyphens')
  .meta({ example: 'mira' })

const Trust = z
  .int()
  .min(0)
  .max(4)
  .optional()
  .meta({ description: 'Its level of trust, where those are on', example: 2 })

const Identity = z
  .object({
    ...{ id: Id, username: UsernameOrNull, name: NameOrNull, avatarUrl: AvatarUrlOrNull },
    bounds: GrantBounds.optional(),
    trust: Trust,
  })
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

const example = {
  name: 'Mira',
  tagline: 'Keeps the books, reads the rest',
  jobTitle: 'Operations',
  company: 'Morning Ltd',
  tags: ['finance', 'mail'],
  githubUrl: 'https://github.com/mira',
  twitterUrl: 'https://x.com/mira',
  linkedinUrl: 'https://www.linkedin.com/in/mira',
  websiteUrl: 'https://mira.example',
}

const ProfileInput = z.object({
  name: line(1, 100).meta({ example: example.name }),
  tagline: optionalLine(140).meta({ example: example.tagline }),
  jobTitle: optionalLine(80).meta({ example: example.jobTitle }),
  company: optionalLine(80).meta({ example: example.company }),
  tags: z
    .array(ProfileTag)
    .max(10)
    .nullish()
    .transform((tags) => tags ?? [])
    .meta({ example: example.tags }),
  githubUrl: webAddress('github.com').meta({ example: example.githubUrl }),
  twitterUrl: webAddress('twitter.com', 'x.com').meta({ example: example.twitterUrl }),
  linkedinUrl: webAddress('linkedin.com').meta({ example: example.linkedinUrl }),
  websiteUrl: webAddress().meta({ example: example.websiteUrl }),
})

const shownLine = (example: string) => textLike(example).nullable()

export const Profile = z
  .object({
    name: shownLine(example.name),
    tagline: shownLine(example.tagline),
    jobTitle: shownLine(example.jobTitle),
    company: shownLine(example.company),
    tags: z.array(z.string()).meta({ example: example.tags }),
    githubUrl: shownLine(example.githubUrl),
    twitterUrl: shownLine(example.twitterUrl),
    linkedinUrl: shownLine(example.linkedinUrl),
    websiteUrl: shownLine(example.websiteUrl),
  })
  .meta({ id: 'Profile' })
export type Profile = z.infer<typeof Profile>

const PublicProfile = Profile.extend({
  id: Id,
  username: textLike('mira'),
  avatarUrl: AvatarUrlOrNull,
  role: RoleName,
  createdAt: Timestamp,
  trust: Trust,
  entries: listOf(FeedItem).meta({ description: 'What they have in the feed' }),
}).meta({ id: 'PublicProfile' })

export const profile = {
  me: {
    summary: 'Who I am',
    synonyms: ['whoami', 'who am i', 'my account', 'current user', 'my user id', 'my role'],
    method: 'GET',
    path: '/community/me',
    access: read,
    input: z.object({}),
    output: Identity,
  },
  get: {
    summary: 'My profile',
    synonyms: ['show my profile', 'my bio'],
    method: 'GET',
    path: '/community/profile',
    access: read,
    input: z.object({}),
    output: Profile,
  },
  update: {
    summary: 'Replace my profile',
    synonyms: ['edit profile', 'update bio', 'change my name', 'set website', 'change display name'],
    description: 'A field that is absent or empty becomes null, absent tags become none.',
    method: 'PATCH',
    kind: 'profile',
    path: '/community/profile',
    access: write,
    input: ProfileInput,
    output: Profile,
  },
  setUsername: {
    summary: 'Choose or change my username',
    synonyms: ['change handle', 'rename me', 'set username'],
    description: 'Unique without regard to case. A name that is taken or reserved is refused with 400.',
    method: 'POST',
    kind: 'profile',
    path: '/community/username',
    idempotent: true,
    access: write,
    input: z.object({ username: Username }),
    output: z.object({ username: textLike('mira') }),
  },
  show: {
    summary: 'The public profile of an account, with a page of its entries in the feed',
    synonyms: ['show user', 'user profile', 'look up member', 'what did user write'],
    description: 'Found by username, in any case. A blocked account has none.',
    method: 'GET',
    path: '/community/members/{username}',
    formerPath: '/community/users/{username}',
    access: open,
    input: listInput.extend({ username: text(1, 200).meta({ description: 'In any case', example: 'mira' }) }),
    output: PublicProfile,
    problems: ['not_found'],
  },
} satisfies Contract

/** The picture of an account: one under a fixed key, which a new one overwrites (interface.md, section 2, User / identity). */
export const avatars = {
  set: {
    summary: 'Set my picture, in place of the one before',
    synonyms: ['avatar', 'upload avatar', 'profile picture', 'change photo'],
    description:
      'PNG, JPEG or WebP by its bytes, at most 2 MB and 25 megapixels. It is decoded and written again, so that nothing but the picture stays, at most 192 pixels wide and high.',
    method: 'POST',
    kind: 'profile',
    path: '/community/profile/avatar',
    access: write,
    budget: 'images',
    input: z.object({}),
    upload: { fields: z.object({}), files: { avatar: picture } },
    output: z.object({ avatarKey: textLike(`avatars/${EXAMPLE_ID}`), updatedAt: Timestamp }),
    problems: ['rate_limited'],
  },
  show: {
    summary: 'The picture of an account',
    description:
      'May be cached forever: `v` in an address changes with the picture. That of a blocked account is not found.',
    method: 'GET',
    path: '/images/avatar/avatars/{userId}',
    access: everybody,
    input: z.object({ userId: Id, width: AvatarWidth }),
    output: memberFile(...pictureTypes),
    problems: ['not_found'],
  },
} satisfies Contract
