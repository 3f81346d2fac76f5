program Bot;
{$mode objfpc}{$H+}
uses SysUtils;

{ Each line has a path and a value, such as "view.seat 1". This bot keeps only what it needs. }
var
  line, path, value, kind: string;
  seed, number, legal: Int64;

{ The index of an action, from 0 to legal - 1. Your thinking goes here. }
function Choose: Int64;
var
  x: Int64;
begin
  x := seed mod 9973 + 7 * number;
  Result := x * x mod 9973 mod legal;
end;

begin
  while not EOF do
  begin
    ReadLn(line);
    path := Copy(line, 1, Pos(' ', line + ' ') - 1);
    value := Copy(line, Length(path) + 2, Length(line));
    if path = 'type' then kind := value
    else if path = 'seed' then seed := StrToInt64(value)
    else if path = 'number' then number := StrToInt64(value)
    else if path = 'legal' then legal := StrToInt64(value)
    else if path = 'go' then
    begin
      if kind = 'start' then WriteLn('ready') else WriteLn(Choose);
      Flush(Output);
    end;
  end;
end.
