// A run of a CI, as the ID token of its issuer describes it. The authorization server reads it; the library says what it may publish.
import type { Db, Transaction } from '../database/schema.ts'

/** What a publisher names of a run. */
export interface CiIdentity {
  issuer: string
  /** As the issuer spells it, such as `owner/name`. */
  repository: string
  /** The path of the file in the repository. */
  workflow: string
  /** In full, such as `refs/heads/main`. */
  ref: string
  environment: string | null
}

/** What the issuer says beside that. */
export interface CiRun extends CiIdentity {
  /** Ids at the issuer. They stay when a repository is renamed, and are others when its name is taken again. */
  repositoryId: string
  repositoryOwnerId: string
  commit: string
  /** Addresses of pages at the issuer. */
  repositoryUrl: string
  runUrl: string
}

/** What a run asks to publish: an item by its name, and who let it, where several accounts did for a name that is not taken. */
export interface PublishRequest {
  kind: string
  slug: string
  publisherId?: string | undefined
  run: CiRun
}

/** An account that lets a run publish. */
export interface FoundPublisher {
  id: string
  accountId: string
  itemId: string | null
}

/** What the authorization server is given of the library. */
export interface TrustedPublishers {
  /** Undefined where no publisher lets the run; `several` where it has to be said which one of those who do. */
  find(db: Db, asked: PublishRequest): Promise<FoundPublisher | 'several' | undefined>
  /**
   * Notes the grant of a token for a run, and the ids of its repository at the first one. False where the publisher is gone by now, or lets
   * another repository of that name.
   */
  use(db: Transaction, publisher: FoundPublisher, use: { grantId: string; run: CiRun; now: string }): Promise<boolean>
}
