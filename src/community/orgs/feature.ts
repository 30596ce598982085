// The gallery of orgs, with their pictures and runs. The library shows every org, so it is handed in.

import type { GalleryItems } from '../../content/gallery.ts'
import type { Feature } from '../../content/manifest.ts'
import { titlesIn } from '../../content/title-queries.ts'
import { lazily } from '../../request/lazily.ts'
import { idsOf } from '../../search/building-queries.ts'
import { orgs } from './contract.ts'
import { orgImages } from './images/contract.ts'
import { discussingHandlers, orgHiding, orgRemoval, votableIn } from './orgs.ts'
import { isDefinitionUsed, listOrgDocuments, store } from './queries.ts'
import { orgRuns } from './runs/contract.ts'
import { runHiding } from './runs/hiding.ts'
import { org } from './subject.ts'

export const orgsFeature = (library: GalleryItems) =>
  ({
    handlers: {
      orgs: lazily(orgs, async () => ({
        ...(await import('./handlers.ts')).orgHandlers({ library, removeOrg: orgRemoval(library) }),
        ...discussingHandlers(library),
      })),
      orgImages: lazily(orgImages, async () => (await import('./images/handlers.ts')).handlers),
      orgRuns: lazily(orgRuns, async () => (await import('./runs/handlers.ts')).handlers),
    },
    commentables: [store],
    votables: [votableIn(library)],
    hidings: [orgHiding(library), runHiding],
    erasure: { steps: async () => (await import('./erasure.ts')).orgErasure(library) },
    titles: {
      run: titlesIn('orgRun', ['id', 'label', 'orgId'], ({ id, label, orgId }) => ({
        ...{ id, title: label ?? 'Unlabeled run', url: `${org.path}/${orgId}#run-${id}` },
      })),
    },
    searchSources: [{ types: ['org'], listIds: idsOf('orgUpload'), find: listOrgDocuments }],
    paths: { run: ['/community/orgs/{id}/runs/{runId}'] },
    isFileUsed: isDefinitionUsed,
  }) satisfies Feature
