/** What every failed request becomes. */
export class Failure extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly hint?: string,
    readonly details?: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** Any thrown value as a Failure. */
export function toFailure(problem: unknown): Failure {
  if (problem instanceof Failure) return problem;
  return new Failure('PAGE_ERROR', problem instanceof Error ? problem.message : String(problem), 0,
    'This is a fault of the page. Reload it; report it if it comes back.');
}

interface ErrorBody {
  error?: { code?: string; message?: string; hint?: string; details?: Record<string, unknown> };
  hint?: string;
}

/** The Failure in the body of an answer whose status is not a success. */
export function failureOf(status: number, body: unknown): Failure {
  const answer = (body ?? {}) as ErrorBody;
  const error = answer.error;
  if (typeof error?.code === 'string')
    return new Failure(error.code, error.message ?? '', status, error.hint ?? answer.hint, error.details);
  return new Failure('HTTP_' + status, `The server answered with status ${status} and no error in JSON.`, status);
}
