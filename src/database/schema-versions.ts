// Versions of library items, what was found in their files, and what is signed about them; schema.ts has the rules for all of it.
import type { Generated } from 'kysely'
import type { WrittenTable } from './schema-community.ts'

/** Every version there ever was of an item, numbered from 1. */
export interface ItemVersionTable extends WrittenTable {
  itemId: string
  number: number
  version: string
  /** The version without build metadata, which does not count in comparison; unique an item. */
  precedence: string
  sha256: string
  size: number
  /** Since when it is yanked: not chosen by `latest` and ranges, and there by its number. */
  yankedAt: Generated<string | null>
  yankReason: Generated<string | null>
  /** 1 where an admin yanked it who may not publish versions: then only admins take that back. */
  yankedByAdmin: Generated<0 | 1>
  /** What is new in it, in Markdown. */
  changelog: Generated<string | null>
  license: Generated<string | null>
  createdAt: string
}

/**
 * Data read from the file of a version when it was published; too large for a list. Others have a row once they
 * were asked for (library/records/version-details.ts).
 */
export interface VersionDetailsTable {
  itemId: string
  version: string
  /** Markdown. */
  readme: string | null
  /** JSON. */
  contents: string
  /** JSON, where the item itself has only a summary; otherwise null. */
  meta: string | null
}

/** What the scan of a version found when it was published. */
export interface VersionScanTable {
  itemId: string
  version: string
  /** JSON; null where the scan could not finish. */
  findings: string | null
  /** JSON: what the file says that means nothing. */
  warnings: string
  scannedAt: string
  /** What the owner says to the findings. */
  answer: string | null
  answeredAt: string | null
}

/** What a version may do. A version without a row has one once it was asked for (library/comparing/permissions.ts). */
export interface VersionPermissionsTable {
  itemId: string
  version: string
  /** Of the rules by which the file was read; a row of older rules is replaced when it is asked for. */
  revision: number
  /** JSON. */
  permissions: string
}

/** What is signed about a version: an in-toto Statement. The server's signature is made when it is read. */
export interface VersionStatementTable {
  itemId: string
  version: string
  /** JSON, the signed bytes. */
  payload: string
  /** The account that the payload names; null where it names none. */
  publisherId: string | null
  /** The account that agreed to it, as the payload names it; null where it names none. */
  approverId: string | null
  /** The key of the publisher, and its signature in base64; null where the publisher did not sign. */
  keyId: string | null
  signature: string | null
  /** 1 once the log has this payload. */
  isLogged: 0 | 1
}

/** An Ed25519 key with which an account signs what it publishes. */
export interface PublisherKeyTable {
  id: string
  accountId: string
  name: string
  /** 32 bytes in base64. */
  publicKey: string
  createdAt: string
  revokedAt: string | null
}

/** A domain that names of MCP servers say, with what it answered when it was asked for its keys. */
export interface NameDomainTable {
  domain: string
  /** JSON: public keys in base64, as the domain named them when it answered last. */
  publicKeys: string
  /** When a version of such a name was signed last. */
  signedAt: string
  /** How often that was. */
  changes: number
  /** When it is to be asked. */
  dueAt: string
  askedAt: string | null
  /** When it named keys last; they count for some days. */
  namedAt: string | null
}

/** A CI identity that may publish an item, or what will have a name; it publishes as the account that named it. */
export interface TrustedPublisherTable {
  id: string
  accountId: string
  /** Null until there is an item with the name. */
  itemId: string | null
  /** The name as it was when this was added. */
  kind: string
  slug: string
  issuer: string
  /** As the issuer spells it, such as `owner/name`. */
  repository: string
  /** The path of the file in the repository. */
  workflow: string
  /** A full ref, which may end with `*`. */
  ref: string | null
  environment: string | null
  /** The ids of the repository and of its owner at the issuer, since the first token: a name can be taken by others. */
  repositoryId: string | null
  repositoryOwnerId: string | null
  createdAt: string
  lastUsedAt: string | null
}

/** An item of which programs publish no version before a person agreed to it. */
export interface StagedItemTable {
  itemId: string
  since: string
}

/** The grant of a token that publishes one item, and the run of the CI that it was made for. */
export interface PublishingGrantTable {
  grantId: string
  publisherId: string
  /** JSON (identity/ci-run.ts). */
  run: string
}

export interface VersionsDatabase {
  itemVersion: ItemVersionTable
  versionDetails: VersionDetailsTable
  versionScan: VersionScanTable
  versionPermissions: VersionPermissionsTable
  versionStatement: VersionStatementTable
  publisherKey: PublisherKeyTable
  nameDomain: NameDomainTable
  trustedPublisher: TrustedPublisherTable
  publishingGrant: PublishingGrantTable
  stagedItem: StagedItemTable
}
