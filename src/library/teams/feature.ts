// Teams, as a feature of the application.

import type { Feature } from '../../content/manifest.ts'
import { titlesIn } from '../../content/title-queries.ts'
import { tableSource } from '../../search/source-queries.ts'
import { teamDocument } from '../../search/things.ts'
import { teamErasure } from '../erasure.ts'
import { teamHandlers } from './handlers.ts'
import { teamHiding } from './hiding.ts'

export const teamsFeature = {
  handlers: { teams: teamHandlers },
  hidings: [teamHiding],
  erasure: { steps: () => [teamErasure] },
  titles: {
    team: titlesIn('team', ['id', 'slug', 'name'], ({ id, slug, name }) => ({
      id,
      title: name,
      url: `/teams/${slug}`,
    })),
  },
  searchSources: [
    tableSource(
      { table: 'team', columns: ['id', 'slug', 'name', 'description', 'createdAt'], type: 'team', canHide: true },
      teamDocument,
    ),
  ],
  paths: { team: ['/teams/{slug}'] },
} satisfies Feature
