// The gallery of orgs, with their pictures and runs. The library shows every org, so it is handed in.

import type { GalleryItems } from '../../content/gallery.ts'
import type { Feature } from '../../content/manifest.ts'
import { titlesIn } from '../../content/title-queries.ts'
import { idsOf } from '../../search/source-queries.ts'
import { discussingHandlers, votableIn } from './discussing.ts'
import { orgErasure } from './erasure.ts'
import { orgHandlers } from './handlers.ts'
import { handlers as orgImages } from './images/handlers.ts'
import { orgHiding, orgRemoval } from './orgs.ts'
import { isDefinitionUsed, listOrgDocuments, store } from './queries.ts'
import { handlers as orgRuns } from './runs/handlers.ts'
import { runHiding } from './runs/hiding.ts'
import { org } from './subject.ts'

export const orgsFeature = (library: GalleryItems) =>
  ({
    handlers: {
      orgs: { ...orgHandlers({ library, removeOrg: orgRemoval(library) }), ...discussingHandlers(library) },
      orgImages,
      orgRuns,
    },
    commentables: [store],
    votables: [votableIn(library)],
    hidings: [orgHiding(library), runHiding],
    erasure: { steps: () => orgErasure(library) },
    titles: {
      run: titlesIn('orgRun', ['id', 'label', 'orgId'], ({ id, label, orgId }) => ({
        ...{ id, title: label ?? 'Unlabeled run', url: `${org.path}/${orgId}#run-${id}` },
      })),
    },
    searchSources: [{ types: ['org'], listIds: idsOf('orgUpload'), find: listOrgDocuments }],
    paths: { run: ['/community/orgs/{id}/runs/{runId}'] },
    isFileUsed: isDefinitionUsed,
  }) satisfies Feature
