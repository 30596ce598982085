// Teams, as a feature of the application.

import type { Feature, JobSource } from '../../content/manifest.ts'
import { titlesIn } from '../../content/title-queries.ts'
import { lazily } from '../../request/lazily.ts'
import { tableSource } from '../../search/building-queries.ts'
import { teamDocument } from '../../search/things.ts'
import { teams } from './contract.ts'
import { membershipHiding, teamHiding } from './hiding.ts'
import { handOverBatch, listLeft } from './leaving.ts'

export const teamsFeature = {
  handlers: { teams: lazily(teams, async () => (await import('./handlers.ts')).teamHandlers) },
  hidings: [teamHiding],
  erasure: { steps: async () => [(await import('./erasure.ts')).teamErasure] },
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
  jobs: ({ db }: JobSource) => [
    {
      kind: 'teams.handOver',
      summary: 'gives on what an account published for a team that it left',
      wake: { find: ({ limit }) => listLeft(db, limit) },
      batch: ({ key, cursor }) => handOverBatch(db, key, cursor),
    },
  ],
  sweptFirst: [membershipHiding],
} satisfies Feature
