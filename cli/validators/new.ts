// What `guildhall new` writes: a small whole file of each kind, without anything to fill in before it is valid.
import type { ItemKind } from '../../src/contract/item-kinds.ts'
import { templateOf } from '../../src/formats/kinds/list.ts'
import type { NewFiles } from '../../src/formats/kinds/template.ts'

/** @param server gives the addresses of the JSON Schemas, for editors */
export async function filesOf(kind: ItemKind, name: string, server: string | undefined): Promise<NewFiles> {
  const template = await templateOf(kind)
  return template(name, server === undefined ? {} : { $schema: `${server}/schemas/${kind}/v1.json` })
}
