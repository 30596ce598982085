// What a version may do: the sites, scripts, connectors, secrets, schedules, models, downloads and steps that its file names. The
// server and the command line use this function alike, so nothing in it uses an API of Node. What cannot be told is "any".
import { automationPermissions, type PackagedFile } from './permission-automation.ts'
import { orgPermissions } from './permission-org.ts'
import { type Permission, PermissionSet } from './permission-set.ts'
import { workflowPermissions } from './permission-workflow.ts'

export { MAX_TEXT_BYTES, type PackagedFile, WantedTexts } from './permission-automation.ts'
export { comparePermissions, covers } from './permission-changes.ts'
export { MAX_VALUES, type Permission, type PermissionType } from './permission-set.ts'

/** Higher whenever the function finds something else in the same file, so that what was stored is read from the file again. */
export const PERMISSIONS_REVISION = 2

/** What is read of an item's file. */
export type PermissionSource =
  | {
      kind: 'workflow'
      /** The parsed JSON. */
      definition: unknown
      /** The files of the automations that it carries, by their ids; one that is missing here may do anything. */
      packages?: ReadonlyMap<string, readonly PackagedFile[]>
    }
  | { kind: 'org'; definition: unknown }
  | {
      kind: 'automation'
      /** All files of the archive, with the texts that `WantedTexts` asks for. */
      files: readonly PackagedFile[]
    }

/**
 * The permissions that a file asks for, sorted by type and name, each once: at most 200 names of a type, with at most 200 characters.
 * `any site` and its like mean all of a type: for wildcards, for what is known only when it runs, for what cannot be read, and
 * where there is more than that.
 */
export function permissionsOf(source: PermissionSource): Permission[] {
  const found = new PermissionSet()
  if (source.kind === 'workflow') workflowPermissions(found, source.definition, source.packages ?? new Map())
  else if (source.kind === 'org') orgPermissions(found, source.definition)
  else automationPermissions(found, source.files)
  return found.sorted()
}
