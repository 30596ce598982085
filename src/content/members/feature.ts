// Who is here.
import { lazily } from '../../request/lazily.ts'
import { tableSource } from '../../search/building-queries.ts'
import { personDocument } from '../../search/things.ts'
import type { Feature } from '../manifest.ts'
import { titlesIn } from '../title-queries.ts'
import { members } from './contract.ts'

export const membersFeature = {
  handlers: { members: lazily(members, async () => (await import('./handlers.ts')).handlers) },
  titles: {
    user: titlesIn('user', ['id', 'username', 'name', 'email'], ({ id, username, name, email }) => ({
      ...{ id, title: username ?? name ?? email, url: username === null ? null : `/community/u/${username}` },
    })),
  },
  searchSources: [
    tableSource(
      { table: 'user', columns: ['id', 'name', 'username', 'createdAt'], type: 'person', canHide: false },
      personDocument,
    ),
  ],
} satisfies Feature
