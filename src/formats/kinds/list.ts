// The folders of the kinds: loaded where a file of the kind is read, so that nothing has the readers of all of them.
import type { ItemKind } from '../../contract/item-kinds.ts'
import type { KindFormat } from './kind-format.ts'
import type { Template } from './template.ts'

interface Folder {
  format(): Promise<{ format: KindFormat }>
  template(): Promise<{ template: Template }>
}

const folders: Record<ItemKind, Folder> = {
  workflow: { format: () => import('./workflow/format.ts'), template: () => import('./workflow/template.ts') },
  automation: { format: () => import('./automation/format.ts'), template: () => import('./automation/template.ts') },
  skill: { format: () => import('./skill/format.ts'), template: () => import('./skill/template.ts') },
  'mcp-server': {
    format: () => import('./mcp-server/format.ts'),
    template: () => import('./mcp-server/template.ts'),
  },
  org: { format: () => import('./org/format.ts'), template: () => import('./org/template.ts') },
}

export const formatOf = async (kind: ItemKind): Promise<KindFormat> => (await folders[kind].format()).format
export const templateOf = async (kind: ItemKind): Promise<Template> => (await folders[kind].template()).template
