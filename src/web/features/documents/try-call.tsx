import { type FormEvent, useState } from "react";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, type FieldControlProps } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { framedSelect } from "../../ui/framed-select.ts";
import { PlainSelect } from "../../ui/plain-select.tsx";
import { CodeBlock } from "./code-block.tsx";
import {
  type DocumentEntry,
  type EntryCall,
  type EntryParameter,
  SIGNED_PARAMETERS,
} from "./document-entries.ts";
import { EntrySection } from "./entry-section.tsx";
import { KeyFields } from "./key-fields.tsx";
import { type CallAnswer, type Credentials, sendCall } from "./send-call.ts";
import { SigningError } from "./sign-request.ts";

interface TryCallProps {
  readonly call: EntryCall;
  readonly parameters: DocumentEntry["parameters"];
  readonly isSignedIn: boolean;
  readonly credentials: Credentials;
  readonly onCredentials: (credentials: Credentials) => void;
}

type Outcome = CallAnswer | { readonly failure: string };

/** Form that sends a call to this exchange and shows the answer. */
export function TryCall({
  call,
  credentials,
  isSignedIn,
  onCredentials,
  parameters,
}: TryCallProps) {
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [outcome, setOutcome] = useState<Outcome>();
  const [isSending, setIsSending] = useState(false);
  const isSigned = call.security !== "none";
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setIsSending(true);
    try {
      setOutcome(await sendCall(call, values, credentials));
    } catch (error) {
      setOutcome({ failure: failureOf(error) });
    } finally {
      setIsSending(false);
    }
  };
  return (
    <EntrySection title="Try it">
      <form
        onSubmit={(event) => void send(event)}
        className="grid gap-3 rounded-md border bg-surface p-4"
      >
        {call.method === "GET" ? null : (
          <p className="text-xs text-warn">
            This call acts on the account of the key, with real effect.
          </p>
        )}
        {isSigned ? (
          <KeyFields credentials={credentials} isSignedIn={isSignedIn} onChange={onCredentials} />
        ) : null}
        <div className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
          {parameters
            .filter(({ name }) => !isSigned || !SIGNED_PARAMETERS.has(name))
            .map((parameter) => (
              <ParameterField
                key={parameter.name}
                parameter={parameter}
                value={values[parameter.name] ?? ""}
                onChange={(text) => setValues({ ...values, [parameter.name]: text })}
              />
            ))}
        </div>
        <div>
          <Button type="submit" variant="primary" busy={isSending}>
            Send
          </Button>
        </div>
        <output className="block min-w-0">
          {outcome === undefined ? null : <Answer outcome={outcome} path={call.path} />}
        </output>
      </form>
    </EntrySection>
  );
}

function failureOf(error: unknown): string {
  return error instanceof SigningError ? error.message : "The exchange could not be reached.";
}

interface ParameterFieldProps {
  readonly parameter: EntryParameter;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

function ParameterField({ onChange, parameter, value }: ParameterFieldProps) {
  const { choices, isRequired, name } = parameter;
  const controlOf = (control: FieldControlProps) =>
    choices.length === 0 ? (
      <Input
        {...control}
        className="font-mono"
        value={value}
        autoComplete="off"
        spellCheck={false}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    ) : (
      <PlainSelect
        {...control}
        className={framedSelect}
        value={value}
        options={["", ...choices].map((choice) => ({ value: choice, label: choice || "—" }))}
        onChange={onChange}
      />
    );
  return (
    <Field label={<span className="font-mono">{name}</span>} aside={isRequired ? "required" : ""}>
      {controlOf}
    </Field>
  );
}

function Answer({ outcome, path }: { readonly outcome: Outcome; readonly path: string }) {
  if ("failure" in outcome) return <p className="text-sm text-sell">{outcome.failure}</p>;
  const { status, text, usedWeight } = outcome;
  return (
    <div className="grid min-w-0 gap-2">
      <p className="flex flex-wrap gap-2">
        <Badge tone={status === 200 ? "buy" : "sell"}>Status {status}</Badge>
        {usedWeight === null ? null : <Badge>Weight used this minute: {usedWeight}</Badge>}
      </p>
      <CodeBlock label={`Answer of ${path}`} text={text} />
    </div>
  );
}
