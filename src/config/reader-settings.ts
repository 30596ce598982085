// The settings of a private instance.
import { z } from 'zod'
import { about, domains, groups } from './values.ts'

const READERS = ['everyone', 'members'] as const

export const readerSettings = {
  READERS: z.enum(READERS, 'everyone or members').register(about, {
    default: 'everyone',
    live: 'access',
    input: 'choice',
    choices: READERS,
    description:
      'who may read: everyone, or only who is signed in: a [private community](../content/docs/private-community.md)',
  }),
  READER_DOMAINS: domains.clone().register(about, {
    default: '',
    live: 'access',
    input: 'list',
    missing: 'all',
    description:
      'where `READERS` is `members`: those with a proven address of these mail domains, and those of `READER_GROUPS`; moderators and admins always read',
  }),
  READER_GROUPS: groups.register(about, {
    default: '',
    live: 'access',
    input: 'list',
    missing: 'all',
    description:
      'where `READERS` is `members`: those whom the external provider named in one of these groups (claim `groups`) at their last sign-in with it, and those of `READER_DOMAINS`',
  }),
}
